/**
 * Returns the code of a Markdown page: the texts between backticks, and the lines of `sh` blocks without their comments.
 */
export function codeOf(text: string): string[] {
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block]) =>
    block!.split('\n').map((line) => line.replace(/\s+#.*/, '')),
  )
  const spans = text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)
  return [...blocks, ...[...spans].map(([, span]) => span!)].filter(Boolean)
}
