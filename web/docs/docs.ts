/** Script of the documentation: the search. Pages can be read without it. */
import MiniSearch from 'minisearch'
import './docs.css'

/** A section of a page, as scripts/docs-site.ts writes it to search.json. */
interface Section {
  /** The page's address below the root of the documentation, with its anchor. */
  readonly id: string
  readonly page: string
  readonly title: string
  readonly text: string
}

const MAX_RESULTS = 20
/** The number of characters shown around the first match. */
const [BEFORE, EXCERPT] = [60, 180]

interface Index {
  readonly search: MiniSearch<Section>
  readonly sections: ReadonlyMap<string, Section>
}

const form = document.querySelector<HTMLFormElement>('#search')!
const input = form.querySelector('input')!
const list = form.querySelector('ol')!
const status = form.querySelector('[role=status]')!
/** The address of the documentation's root, relative to this page. */
const root = document.documentElement.dataset.root!

let index: Promise<Index> | undefined

async function loadIndex(): Promise<Index> {
  const response = await fetch(`${root}search.json`)
  if (!response.ok) throw new Error(`search.json: ${response.status}`)
  const sections = (await response.json()) as readonly Section[]
  const search = new MiniSearch<Section>({
    fields: ['title', 'page', 'text'],
    searchOptions: {
      boost: { title: 4, page: 2 },
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: 'AND',
    },
  })
  search.addAll(sections)
  return { search, sections: new Map(sections.map((section) => [section.id, section])) }
}

async function showResults(): Promise<void> {
  const asked = input.value.trim()
  if (asked === '') return showList([], '')
  index ??= loadIndex()
  let loaded: Index
  try {
    loaded = await index
  } catch {
    index = undefined
    return showList([], form.dataset.failed!)
  }
  if (asked !== input.value.trim()) return
  const found = loaded.search.search(asked).slice(0, MAX_RESULTS)
  const rows = found.map(({ id, terms }) => rowOf(loaded.sections.get(id as string)!, terms))
  showList(rows, rows.length === 0 ? form.dataset.none!.replace('{text}', asked) : '')
}

function showList(rows: readonly HTMLElement[], text: string): void {
  list.replaceChildren(...rows)
  status.textContent = text
  form.toggleAttribute('data-open', rows.length > 0 || text !== '')
}

function rowOf({ id, page, title, text }: Section, terms: readonly string[]): HTMLElement {
  const row = document.createElement('li')
  const link = document.createElement('a')
  link.href = root + id
  const name = document.createElement('strong')
  name.textContent = title
  const place = document.createElement('span')
  place.textContent = title === page ? '' : page
  const excerpt = document.createElement('p')
  excerpt.append(...excerptOf(text, terms))
  link.append(name, place, excerpt)
  row.append(link)
  return row
}

/** Returns the text around the first match, with each term marked. */
function excerptOf(text: string, terms: readonly string[]): (string | HTMLElement)[] {
  const lower = text.toLowerCase()
  const hits = terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0)
  const start = Math.max(0, Math.min(...(hits.length > 0 ? hits : [0])) - BEFORE)
  const shown = text.slice(start, start + EXCERPT)
  const parts: (string | HTMLElement)[] = [start > 0 ? '… ' : '']
  let rest = shown
  while (rest !== '') {
    const next = terms
      .map((term) => ({ term, at: rest.toLowerCase().indexOf(term) }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at || b.term.length - a.term.length)[0]
    if (!next) break
    const mark = document.createElement('mark')
    mark.textContent = rest.slice(next.at, next.at + next.term.length)
    parts.push(rest.slice(0, next.at), mark)
    rest = rest.slice(next.at + next.term.length)
  }
  return [...parts, rest, start + EXCERPT < text.length ? ' …' : '']
}

function moveTo(step: number): void {
  const links = [...list.querySelectorAll('a')]
  const at = links.indexOf(document.activeElement as HTMLAnchorElement) + step
  if (at < 0) input.focus()
  else links[Math.min(at, links.length - 1)]?.focus()
}

input.addEventListener('input', () => void showResults())
input.addEventListener('focus', () => {
  index ??= loadIndex()
  index.catch(() => {})
})
form.addEventListener('submit', (event) => {
  event.preventDefault()
  list.querySelector('a')?.click()
})
form.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    input.value = ''
    showList([], '')
    input.blur()
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    moveTo(event.key === 'ArrowDown' ? 1 : -1)
  }
})
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  input.focus()
})
document.addEventListener('click', (event) => {
  const outside = event.target instanceof Node && !form.contains(event.target)
  const chosen = event.target instanceof Element && event.target.closest('#search ol a')
  if (outside || chosen) showList([], '')
})
document.querySelector('#nav [aria-current]')?.scrollIntoView({ block: 'center' })
