import { onDemand } from '../../ui/on-demand.tsx'

export const EmojiPicker = onDemand(async () => {
  const { EmojiPicker: picker, loadComposeTexts } = await import('./emoji-picker.tsx')
  await loadComposeTexts()
  return picker
})
