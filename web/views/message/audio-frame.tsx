import { render } from 'preact'
import { AudioPlayer, loadComposeTexts } from '../../ui/audio-player.tsx'

/** Draws a player in a rendered message. */
export async function drawPlayer(
  frame: HTMLElement,
  sound: { readonly src: string; readonly name: string },
): Promise<void> {
  await loadComposeTexts()
  frame.replaceChildren()
  render(<AudioPlayer {...sound} />, frame)
}
