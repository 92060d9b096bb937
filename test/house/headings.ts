/** Headings and links of Markdown pages, as a reader's browser resolves them. */
import { anchorOf } from '../../scripts/markdown-anchors.ts'

export interface PageLink {
  /** The path of the file, relative to the page; empty for a heading of the page itself. */
  readonly path: string
  readonly anchor: string
}

/** Returns the anchors of a page: each heading in lower case, without punctuation, with hyphens for spaces. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const headings = withoutFences(page).matchAll(/^#{1,6} +(.+?) *$/gm)
  return new Set([...headings].map(([, heading]) => anchorOf(heading!)))
}

/** Returns the links to files of this repository and to headings in them. */
export function linksIn(page: string): PageLink[] {
  const links = withoutCode(page).matchAll(/\]\(([^)\s]*)\)/g)
  return [...links]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path, anchor = ''] = target.split('#')
      return { path: path!, anchor }
    })
}

const withoutFences = (page: string) => page.replaceAll(/^```[\s\S]*?^```/gm, '')
const withoutCode = (page: string) => withoutFences(page).replaceAll(/`[^`\n]*`/g, 'code')
