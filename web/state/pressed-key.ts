type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>

/** A letter of another script than Latin, or two on one key, or a sign that has its own form there. */
const ELSEWHERE = /^(?:(?!\p{Script=Latin})\p{L}){1,2}$|^[؟÷×]$/u

/** The signs of an American keyboard that shortcuts have, without and with Shift. */
const SIGNS: Readonly<Record<string, readonly [string, string]>> = {
  Slash: ['/', '?'],
  Semicolon: [';', ':'],
  Period: ['.', '>'],
  Equal: ['=', '+'],
  Digit8: ['8', '*'],
}

/**
 * Returns the character of a key. On keyboards of scripts without Latin letters it is that of the same key on an American one, as shortcuts
 * are named: otherwise none of them could be pressed there.
 */
export function latinKey({ key, code, shiftKey }: Pressed): string {
  if (!ELSEWHERE.test(key)) return key
  if (key === '؟') return '?'
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  if (letter) return shiftKey ? letter : letter.toLowerCase()
  return SIGNS[code]?.[shiftKey ? 1 : 0] ?? key
}

/** Returns how a key held with Control is named whatever the keyboard: digits by their place, since Shift has other signs on each. */
export function heldKey(pressed: Pressed): string {
  const digit = pressed.shiftKey ? /^Digit(\d)$/.exec(pressed.code)?.[1] : undefined
  return digit ?? latinKey(pressed).toLowerCase()
}
