/** Draws an SVG as a PNG with the fonts of the browser, which has letters that the engine's own fonts lack. */

/** Pixels of the PNG for one pixel of the SVG, so that it is sharp on dense screens. */
const SCALE = 2;

/** No side has more pixels: browsers refuse larger canvases at different limits. */
const MAX_SIDE = 4000;

/** The bytes of the PNG, null where this browser cannot draw it. */
export async function rasterize(svg: DataView): Promise<DataView | null> {
  const address = URL.createObjectURL(new Blob([svg as DataView<ArrayBuffer>], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const scale = Math.min(SCALE, MAX_SIDE / width, MAX_SIDE / height);
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const context = canvas.getContext("2d");
    if (context === null) return null;
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    return blob === null ? null : new DataView(await blob.arrayBuffer());
  } catch {
    // A picture that does not decode, or a canvas that the browser finds too large.
    return null;
  } finally {
    URL.revokeObjectURL(address);
  }
}
