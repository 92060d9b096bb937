/** Returns the code of a page in Markdown: what stands between backticks, and the lines of blocks of `sh` without their comments. */
export function codeOf(text: string): string[] {
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block]) =>
    block!.split('\n').map((line) => line.replace(/\s+#.*/, '')),
  )
  const spans = text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)
  return [...blocks, ...[...spans].map(([, span]) => span!)].filter(Boolean)
}
