/**
 * Returns text as HTML. Quotation marks need no escape outside attributes, and clients compare the plain
 * form.
 */
export function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (char) => (char === '&' ? '&amp;' : char === '<' ? '&lt;' : '&gt;'))
}

/** Whether a text has only letters, digits and signs of ASCII, spaces and line breaks, as most messages do. */
export function isPlainAscii(text: string): boolean {
  return !/[^\t\n\r -~]/.test(text)
}
