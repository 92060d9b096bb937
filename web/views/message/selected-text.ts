import { rowElement } from '../conversation/selection.ts'

/** Parts of a message that are none of its words. */
const TOOLS = 'button, .code-tools, audio, video, annotation'

/** Returns the selected part of a message as Markdown; undefined without a selection, or with one that is not in this message alone. */
export async function selectedIn(id: number): Promise<string | undefined> {
  const selection = getSelection()
  const text = rowElement(id)?.querySelector('.rendered')
  if (!selection || selection.isCollapsed || !text) return undefined
  const range = selection.getRangeAt(0)
  if (!text.contains(range.commonAncestorContainer)) return undefined
  const body = document.createElement('div')
  body.append(range.cloneContents())
  for (const tool of body.querySelectorAll(TOOLS)) tool.remove()
  const { markdownOf } = await import('../compose/html-to-markdown.ts')
  return markdownOf(body) || undefined
}
