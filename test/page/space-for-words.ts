/** Returns by how many pixels a field is wider than its chosen words, or what it shows while it is empty. Runs in the page. */
export function roomForWords(field: HTMLElement | SVGElement): number {
  const { font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(field)
  const isChoice = field instanceof HTMLSelectElement
  const words = isChoice ? field.selectedOptions[0]?.text : (field as HTMLInputElement).placeholder
  const context = new OffscreenCanvas(1, 1).getContext('2d')!
  context.font = font
  const padding = Number.parseFloat(paddingInlineStart) + Number.parseFloat(paddingInlineEnd)
  const arrow = isChoice ? 20 : 0
  return field.clientWidth - padding - arrow - context.measureText(words ?? '').width
}
