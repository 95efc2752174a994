/** Binary answers: numbers to draw, files to save. */

/** The float32 numbers of a buffer, which Python sends with the least significant byte first. */
export function floats(buffer: DataView): Float32Array<ArrayBuffer> {
  const values = new Float32Array(buffer.byteLength / Float32Array.BYTES_PER_ELEMENT);
  for (let i = 0; i < values.length; i += 1) values[i] = buffer.getFloat32(i * Float32Array.BYTES_PER_ELEMENT, true);
  return values;
}

/** The float64 numbers of a buffer, in the same order. */
export function doubles(buffer: DataView): Float64Array<ArrayBuffer> {
  const values = new Float64Array(buffer.byteLength / Float64Array.BYTES_PER_ELEMENT);
  for (let i = 0; i < values.length; i += 1) values[i] = buffer.getFloat64(i * Float64Array.BYTES_PER_ELEMENT, true);
  return values;
}

/** Offers a file for saving, as a click on a download link does. */
export function saveFile(buffer: DataView, fileName: string, mediaType: string): void {
  const bytes = new Uint8Array(buffer.byteLength);
  bytes.set(new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength));
  const address = URL.createObjectURL(new Blob([bytes], { type: mediaType }));
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  link.click();
  // The browser reads the address after the click returns.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
