/**
 * The documentation as web pages: each Markdown page of docs/ and the pages next to the README as HTML, with a sidebar in the order of
 * docs/README.md, and the sections for the search. Addresses are relative, so that one build can be served below any path.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import hljs from 'highlight.js/lib/common'
import MarkdownItParser, { type MarkdownIt, type Token } from 'markdown-it'
import { drawDiagram } from './diagrams.ts'
import { anchorOf } from './markdown-anchors.ts'
import { PROJECT } from './project.ts'

/** Pages outside docs/ to which the documentation links. */
const BESIDE = ['CONTRIBUTING.md', 'CHANGELOG.md']
const FRONT = 'docs/README.md'
/** Pages whose links are listed below them in the sidebar. */
const INDEXES = ['docs/interface/README.md', 'docs/decisions/README.md']
const LIST_TITLE = 'More'
const LINE_BREAK = '<br>'

interface Heading {
  readonly level: number
  readonly title: string
  readonly anchor: string
  /** The text up to the next heading. */
  text: string
}

interface Page {
  /** The path in the project. */
  readonly source: string
  /** The path below the root of the site. */
  readonly path: string
  readonly title: string
  readonly html: string
  readonly headings: readonly Heading[]
}

/** A file of the site: text that is written, or a file of the project that is copied. */
export type SiteFile = { readonly text: string } | { readonly copyOf: string }

/** Returns the Markdown files that become pages, as paths in the project. */
export function sourcesOfDocs(): string[] {
  const below = readdirSync(join(PROJECT, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.md'))
  return [...below, ...BESIDE].sort()
}

/** Returns the path of a page below the root of the site: `docs/interface/README.md` is `interface/index.html`. */
export function pathOfPage(source: string): string {
  const path = BESIDE.includes(source) ? source.toLowerCase() : source.slice('docs/'.length)
  return path.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html')
}

/** Returns every file of the site by its path, but for script and style. */
export function docsSite(): Map<string, SiteFile> {
  const pictures = new Set<string>()
  const pages = sourcesOfDocs().map((source) => readPage(source, pictures))
  const bySource = new Map(pages.map((page) => [page.source, page]))
  const groups = navigation(bySource)
  const order = groups.flatMap(({ pages: sources }) => sources.map((source) => bySource.get(source)!))
  const files = new Map<string, SiteFile>()
  for (const page of pages) files.set(page.path, { text: layout(page, groups, bySource, order) })
  const missing = pageOfNothing()
  files.set(missing.path, { text: layout(missing, groups, bySource, []) })
  files.set('search.json', { text: JSON.stringify(pages.flatMap(sectionsOf)) })
  files.set('icon.svg', { copyOf: 'web/icon.svg' })
  for (const picture of pictures) files.set(picture.slice('docs/'.length), { copyOf: picture })
  return files
}

function readPage(source: string, pictures: Set<string>): Page {
  const headings: Heading[] = []
  const markdown = markdownFor(source, headings, pictures)
  const tokens = markdown.parse(readFileSync(join(PROJECT, source), 'utf8'), {})
  collectHeadings(tokens, headings)
  const html = markdown.renderer.render(tokens, markdown.options, {})
  return { source, path: pathOfPage(source), title: headings[0]?.title ?? basename(source), html, headings }
}

function markdownFor(source: string, headings: readonly Heading[], pictures: Set<string>): MarkdownIt {
  const markdown = new MarkdownItParser({ html: false, linkify: false, highlight: highlighted })
  const { rules } = markdown.renderer
  const root = rootOf(pathOfPage(source))
  const counted = { headings: 0, diagrams: 0 }
  rules.heading_open = (tokens, at) => `<${tokens[at]!.tag} id="${headings[counted.headings]!.anchor}">`
  rules.heading_close = (tokens, at) => {
    const { anchor, level, title } = headings[counted.headings]!
    counted.headings += 1
    const link = `<a href="#${anchor}" aria-label="Link to ${escaped(title)}">#</a>`
    return `${level > 1 ? link : ''}</${tokens[at]!.tag}>\n`
  }
  const fence = rules.fence!
  // A scrolling block must be reachable by keyboard.
  rules.fence = (tokens, at, ...rest) => {
    const { info, content } = tokens[at]!
    if (info !== 'mermaid') return fence(tokens, at, ...rest).replace('<pre>', '<pre tabindex="0">')
    counted.diagrams += 1
    return `<figure tabindex="0">${drawDiagram(content, `diagram-${counted.diagrams}`)}</figure>\n`
  }
  rules.table_open = () => '<div class="table" tabindex="0"><table>\n'
  rules.table_close = () => '</table></div>\n'
  // The policy forbids styles of elements, by which columns are aligned.
  rules.th_open = rules.td_open = (tokens, at) => {
    const cell = tokens[at]!
    return `<${cell.tag}${cell.attrGet('style') === 'text-align:right' ? ' class="number"' : ''}>`
  }
  rules.link_open = (tokens, at, options, _, renderer) => {
    const link = tokens[at]!
    link.attrSet('href', addressOf(String(link.attrGet('href')), source, root))
    return renderer.renderToken(tokens, at, options)
  }
  rules.image = (tokens, at, options, environment, renderer) => {
    const picture = tokens[at]!
    const target = posix.join(posix.dirname(source), String(picture.attrGet('src')))
    pictures.add(target)
    picture.attrSet('src', root + target.slice('docs/'.length))
    picture.attrSet('alt', renderer.renderInlineAsText(picture.children ?? [], options, environment))
    picture.attrSet('loading', 'lazy')
    return renderer.renderToken(tokens, at, options)
  }
  // The one tag of HTML that pages use: a line break in a cell of a table.
  markdown.inline.ruler.before('autolink', 'line-break', (state, silent) => {
    if (!state.src.startsWith(LINE_BREAK, state.pos)) return false
    if (!silent) state.push('hardbreak', 'br', 0)
    state.pos += LINE_BREAK.length
    return true
  })
  // A source file has no page, so its name stays without a link.
  markdown.core.ruler.push('links-to-source', ({ tokens }) => {
    for (const { children } of tokens) if (children) unlinkSources(children, source)
  })
  return markdown
}

function unlinkSources(children: Token[], source: string): void {
  let within = false
  for (const token of children) {
    if (token.type === 'link_open') within = !hasPage(String(token.attrGet('href')), source)
    if (!within) continue
    if (token.type === 'link_close') within = false
    if (token.type === 'link_open' || token.type === 'link_close') {
      token.type = 'text'
      token.content = ''
    }
  }
}

const isElsewhere = (href: string) => /^[a-z]+:/.test(href)

function hasPage(href: string, source: string): boolean {
  if (isElsewhere(href) || href.startsWith('#')) return true
  return pageAt(href, source) !== undefined
}

/** Returns the source of the page that a link in another page leads to; the README next to docs/ is its front page. */
function pageAt(href: string, source: string): string | undefined {
  const target = posix.join(posix.dirname(source), href.split('#')[0]!)
  if (target === 'README.md') return FRONT
  if (target === 'SECURITY.md') return 'docs/security.md'
  const isPage = target.endsWith('.md') && (target.startsWith('docs/') || BESIDE.includes(target))
  return isPage && existsSync(join(PROJECT, target)) ? target : undefined
}

function addressOf(href: string, source: string, root: string): string {
  if (isElsewhere(href) || href.startsWith('#')) return href
  const [path, anchor] = href.split('#')
  const target = pageAt(href, source)!
  const kept = anchor === undefined || path!.endsWith('../README.md') ? '' : `#${anchor}`
  return `${root}${pathOfPage(target)}${kept}`
}

/** Returns the way from a page to the root of the site. */
function rootOf(path: string): string {
  return '../'.repeat(path.split('/').length - 1) || './'
}

function highlighted(code: string, language: string): string {
  const known = hljs.getLanguage(language) ? language : undefined
  return known === undefined ? '' : hljs.highlight(code, { language: known }).value
}

function collectHeadings(tokens: readonly Token[], headings: Heading[]): void {
  const taken = new Map<string, number>()
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'inline' && tokens[at - 1]?.type === 'heading_open') {
      const base = anchorOf(token.content)
      const count = taken.get(base) ?? 0
      taken.set(base, count + 1)
      headings.push({
        level: Number(tokens[at - 1]!.tag.slice(1)),
        title: textOf(token),
        anchor: count === 0 ? base : `${base}-${count}`,
        text: '',
      })
      continue
    }
    const last = headings.at(-1)
    if (!last) continue
    if (token.type === 'inline') last.text += `${textOf(token)} `
    if (token.type === 'fence') last.text += `${token.content} `
  }
}

function textOf({ children }: Token): string {
  return (children ?? [])
    .map((child) => (child.type === 'softbreak' || child.type === 'hardbreak' ? ' ' : child.content))
    .join('')
}

interface Section {
  readonly id: string
  readonly page: string
  readonly title: string
  readonly text: string
}

function sectionsOf({ path, title: page, headings }: Page): Section[] {
  return headings.map(({ title, anchor, text }, at) => ({
    id: at === 0 ? path : `${path}#${anchor}`,
    page,
    title,
    text: text.trim().replaceAll(/\s+/g, ' '),
  }))
}

interface Group {
  readonly title: string
  /** Sources of pages, in the order in which they are listed. */
  readonly pages: readonly string[]
}

/** Returns the sidebar: the sections of docs/README.md with the pages that they link to, each page once, then all other pages. */
function navigation(pages: ReadonlyMap<string, Page>): Group[] {
  const seen = new Set([FRONT])
  const take = (source: string): string[] => {
    if (seen.has(source) || !pages.has(source)) return []
    seen.add(source)
    return [source, ...(INDEXES.includes(source) ? childrenOf(source).flatMap(take) : [])]
  }
  const parts = readFileSync(join(PROJECT, FRONT), 'utf8').split(/^## /m)
  const groups = parts.slice(1).map((part) => ({
    title: part.slice(0, part.indexOf('\n')),
    pages: linksOf(part, FRONT).flatMap(take),
  }))
  const rest = [...pages.keys()].flatMap(take)
  return [...groups, { title: LIST_TITLE, pages: rest }].filter((group) => group.pages.length > 0)
}

/** Returns the pages in the folder of an index that it links to. */
function childrenOf(index: string): string[] {
  const linked = linksOf(readFileSync(join(PROJECT, index), 'utf8'), index)
  return linked.filter((source) => posix.dirname(source) === posix.dirname(index))
}

function linksOf(text: string, source: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+\.md)[^)]*\)/g)]
    .filter(([, href]) => !isElsewhere(href!))
    .map(([, href]) => posix.join(posix.dirname(source), href!))
}

function pageOfNothing(): Page {
  const html =
    '<h1>Page not found</h1><p>There is no page at this address. Search for it, or begin at <a href="/docs/">the front page</a>.</p>'
  return { source: '', path: '404.html', title: 'Page not found', html, headings: [] }
}

function layout(
  page: Page,
  groups: readonly Group[],
  pages: ReadonlyMap<string, Page>,
  order: readonly Page[],
): string {
  // The 404 page is shown at any address, so its links are absolute.
  const root = page.source === '' ? '/docs/' : rootOf(page.path)
  const linkTo = ({ path, title, source }: Page) => {
    const current = source === page.source ? ' aria-current="page"' : ''
    return `<a href="${root}${path}"${current}>${escaped(title)}</a>`
  }
  const inIndex = (source: string) =>
    INDEXES.some((index) => source !== index && posix.dirname(source) === posix.dirname(index))
  const item = (source: string) =>
    `<li>${inIndex(source) ? `<ul><li>${linkTo(pages.get(source)!)}</li></ul>` : linkTo(pages.get(source)!)}</li>`
  const nav = groups
    .map(
      ({ title, pages: sources }) => `<h2>${escaped(title)}</h2>\n<ul>${sources.map(item).join('\n')}</ul>`,
    )
    .join('\n')
  const seconds = page.headings.filter(({ level }) => level === 2)
  const toc = seconds
    .map(({ anchor, title }) => `<li><a href="#${anchor}">${escaped(title)}</a></li>`)
    .join('\n')
  const at = order.findIndex(({ source }) => source === page.source)
  const [before, after] = [at > 0 ? order[at - 1] : undefined, order[at + 1]]
  const turn = (to: Page | undefined, rel: string, text: (title: string) => string) =>
    to === undefined
      ? '<span></span>'
      : `<a rel="${rel}" href="${root}${to.path}">${text(escaped(to.title))}</a>`
  const title = page.source === FRONT ? 'Parley documentation' : `${page.title} – Parley documentation`
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="icon" href="${root}icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${root}files/docs.css">
<script type="module" src="${root}files/docs.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="bar">
<button class="menu" type="button" popovertarget="nav">Menu</button>
<a href="${root}index.html"><img src="${root}icon.svg" alt="">Parley <span>Documentation</span></a>
<form id="search" role="search" data-none="Nothing found for “{text}”" data-failed="The search could not be loaded. Try again.">
<input type="search" placeholder="Search the docs" aria-label="Search the docs" aria-controls="search-results" autocomplete="off">
<div id="search-results"><p role="status"></p><ol></ol></div>
</form>
</header>
<div class="docs">
<nav id="nav" popover aria-label="Pages">
${nav}
</nav>
<main id="main">
<article class="text">
${page.html}
</article>
${page.source === '' ? '' : `<nav class="turn" aria-label="Next pages">${turn(before, 'prev', (name) => `← ${name}`)}${turn(after, 'next', (name) => `${name} →`)}</nav>`}
</main>
${toc === '' ? '' : `<nav class="toc" aria-label="On this page"><h2>On this page</h2><ul>${toc}</ul></nav>`}
</div>
</body>
</html>
`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
