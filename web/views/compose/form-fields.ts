import { onDemand } from '../../ui/on-demand.tsx'

/** The parts of forms with Markdown, loaded with the first of them. */

const loadFields = async () => {
  const fields = await import('./markdown-field.tsx')
  await fields.loadComposeTexts()
  return fields
}
export const MarkdownField = onDemand(() => loadFields().then(({ MarkdownField: field }) => field))
export const MarkdownRow = onDemand(() => loadFields().then(({ MarkdownRow: row }) => row))
