// The fonts of drawings, and how wide texts are in them.

export const FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';
export const SIZES = { word: 16, tag: 11, label: 11.5, token: 12 } as const;
export type TextKind = keyof typeof SIZES;

let context: CanvasRenderingContext2D | null | undefined;
const known = new Map<string, number>();

export function textWidth(text: string, kind: TextKind): number {
  const key = kind + text;
  let width = known.get(key);
  if (width === undefined) {
    context ??= document.createElement("canvas").getContext("2d");
    if (context) context.font = `${SIZES[kind]}px ${FAMILY}`;
    width = context?.measureText(text).width ?? text.length * SIZES[kind] * 0.6;
    if (known.size > 50_000) known.clear();
    known.set(key, width);
  }
  return width;
}

/** A text for drawing: cut if it is long, with a sign for invisible characters. */
export function shown(text: string, longest = 60): string {
  const visible = text.replace(/[\u0000-\u001f\u007f-\u009f]/g, "\ufffd");
  const letters = [...visible];
  return letters.length > longest ? letters.slice(0, longest - 1).join("") + "…" : visible;
}
