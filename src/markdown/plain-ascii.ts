/** Whether a text has only letters, digits and signs of ASCII, spaces and line breaks, as most messages do. */
export function isPlainAscii(text: string): boolean {
  return !/[^\t\n\r -~]/.test(text)
}
