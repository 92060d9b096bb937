import './rendered.css'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { enhance, isEmojiAlone } from './enhance.ts'
import { safeNodes } from './safe-html.ts'

/** The server's HTML as nodes that are safe to show. */
export function HtmlText({ html, class: name = '' }: { readonly html: string; readonly class?: string }) {
  const holder = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const nodes = safeNodes(html)
    enhance(nodes)
    holder.current!.toggleAttribute('data-emoji-alone', isEmojiAlone(nodes))
    holder.current!.replaceChildren(nodes)
  }, [html])
  return <div ref={holder} class={`rendered ${name}`} dir="auto" />
}
