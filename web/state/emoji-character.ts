/**
 * Returns `1f469-200d-1f4bb` as the character, which the system's own font draws. Parts that are text by default get the selector that makes
 * them pictures.
 */
export function emojiFromCode(code: string): string {
  return String.fromCodePoint(...code.split('-').map((part) => Number(`0x${part}`))).replace(
    /(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu,
    '$&\ufe0f',
  )
}
