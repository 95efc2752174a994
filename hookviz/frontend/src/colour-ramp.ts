/** From a place on the scale of colours to the colour; as `hookviz/diagram/ramp.py`. */

type Channels = readonly [red: number, green: number, blue: number];

/** The colour at a place from 0 to 1, mixed in sRGB from the two nearest of the ramp. */
export function colourAt(place: number, ramp: readonly string[]): string {
  const position = Math.min(Math.max(place, 0), 1) * (ramp.length - 1);
  const below = Math.max(0, Math.min(Math.trunc(position), ramp.length - 2));
  const [first, second] = [channels(ramp[below]), channels(ramp[below + 1] ?? ramp[below])];
  const mixed = first.map((channel, i) => Math.round(channel + (position - below) * ((second[i] ?? 0) - channel)));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

function channels(colour = "#000000"): Channels {
  const number = Number.parseInt(colour.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}
