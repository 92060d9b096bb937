/** Colours for new subscriptions, in this order (docs/interface/subscriptions.md#subscribe). */
const PALETTE = [
  '#76ce90',
  '#fae589',
  '#a6c7e5',
  '#e79ab5',
  '#bfd56f',
  '#f4ae55',
  '#b0a5fd',
  '#addfe5',
  '#f5ce6e',
  '#c2726a',
  '#94c849',
  '#bd86e5',
  '#ee7e4a',
  '#a6dcbf',
  '#95a5fd',
  '#53a063',
  '#9987e1',
  '#e4523d',
  '#c2c2c2',
  '#4f8de4',
  '#c6a8ad',
  '#e7cc4d',
  '#c8bebf',
  '#a47462',
] as const

/** Returns the first unused colour; when all are used, one that depends on the channel. */
export function nextColor(used: readonly string[], recipientId: number): string {
  return PALETTE.find((color) => !used.includes(color)) ?? PALETTE[recipientId % PALETTE.length]!
}

/** Returns a colour as `#rrggbb` in lower case, which every client can read. Undefined for no colour. */
export function normaliseColor(color: string): string | undefined {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(color)?.[1]?.toLowerCase()
  if (digits === undefined) return undefined
  return digits.length === 6 ? `#${digits}` : `#${[...digits].map((digit) => digit + digit).join('')}`
}
