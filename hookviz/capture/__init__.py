"""What flowed: values, gradients, their statistics and their history."""
