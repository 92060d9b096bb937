import './rendered.css'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { state, watch } from '../../chat.ts'
import { enhance, isEmojiAlone } from './enhance.ts'
import { safeNodes } from './safe-html.ts'

/** The server's HTML as nodes that are safe to show. */
export function HtmlText({ html, class: name = '' }: { readonly html: string; readonly class?: string }) {
  watch('organization')
  const holder = useRef<HTMLDivElement>(null)
  const scale = previewScale()
  useLayoutEffect(() => {
    const nodes = safeNodes(html)
    enhance(nodes, scale)
    holder.current!.toggleAttribute('data-emoji-alone', isEmojiAlone(nodes))
    holder.current!.replaceChildren(nodes)
  }, [html, scale])
  return <div ref={holder} class={`rendered ${name}`} style={{ '--preview-scale': scale }} dir="auto" />
}

/** Returns how large pictures and videos are, as the organization has set it; at the door it is not known, and 1. */
function previewScale(): number {
  return (state?.organization.media_preview_size ?? 100) / 100
}
