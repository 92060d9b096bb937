/**
 * Returns text as HTML. Quotation marks need no escape outside attributes, and clients compare the plain
 * form.
 */
export function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (char) => (char === '&' ? '&amp;' : char === '<' ? '&lt;' : '&gt;'))
}
