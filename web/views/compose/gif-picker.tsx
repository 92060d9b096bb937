import './gif-picker.css'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { searchGifs } from '../../actions/gifs.ts'
import { type Gif, type GifSource, markdownOfGif } from '../../state/gifs.ts'
import { c } from '../../texts/compose.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Loading } from '../../ui/empty.tsx'
import { Popover } from '../../ui/popover.tsx'
import { GifGrid, gifAfter } from './gif-grid.tsx'

/** The providers' names, and the addresses to which their marks lead. */
const PROVIDERS = {
  giphy: { name: 'GIPHY', href: 'https://giphy.com/' },
  tenor: { name: 'Tenor', href: 'https://tenor.com/' },
} as const

/** Milliseconds after the last key before the provider is asked. */
const PAUSE = 300
/** Limit of GIFs that are shown for one search. */
const MOST = 240

interface GifPickerProps {
  readonly anchor: Element
  readonly source: GifSource
  /** The first search; '': the popular ones are shown. */
  readonly words?: string
  readonly onInsert: (markdown: string) => void
  readonly onClose: () => void
}

interface Found {
  readonly query: string
  readonly gifs: readonly Gif[]
  readonly next: string | undefined
}

/** GIFs of a provider: the popular ones until something is searched for. The chosen one is inserted as a link. */
export function GifPicker({ anchor, source, words = '', onInsert, onClose }: GifPickerProps) {
  const [query, setQuery] = useState(words)
  const [found, setFound] = useState<Found>()
  const [hasFailed, setFailed] = useState(false)
  const [chosen, setChosen] = useState(0)
  const asked = useRef<AbortController>(undefined)
  const grid = useRef<HTMLDivElement>(null)
  const wanted = query.trim()
  const { name, href } = PROVIDERS[source.provider]

  const ask = (known?: Found) => {
    asked.current?.abort()
    const asking = new AbortController()
    asked.current = asking
    setFailed(false)
    const search = { query: wanted, language: document.documentElement.lang, from: known?.next }
    searchGifs(source, search, asking.signal).then(
      ({ gifs, next }) => {
        if (asking.signal.aborted) return
        asked.current = undefined
        const all = new Map([...(known?.gifs ?? []), ...gifs].map((gif) => [gif.id, gif]))
        setFound({ query: wanted, gifs: [...all.values()], next: all.size < MOST ? next : undefined })
      },
      () => {
        if (asking.signal.aborted) return
        asked.current = undefined
        setFailed(true)
      },
    )
  }
  useEffect(() => {
    // Results for earlier words are discarded.
    setFound(undefined)
    setFailed(false)
    setChosen(0)
    const timer = setTimeout(ask, wanted === words.trim() ? 0 : PAUSE)
    return () => {
      clearTimeout(timer)
      asked.current?.abort()
    }
  }, [wanted])
  const more = () => {
    if (found?.next !== undefined && !asked.current && !hasFailed) ask(found)
  }
  // A page whose GIFs do not fill the grid cannot be scrolled.
  useLayoutEffect(() => {
    const element = grid.current
    if (element && element.scrollHeight <= element.clientHeight) more()
  }, [found])

  const gifs = found?.gifs ?? []
  const current = gifs[chosen]
  const choose = (gif: Gif | undefined) => {
    if (!gif) return
    onClose()
    onInsert(`${markdownOfGif(gif)} `)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    if (event.key === 'Enter') {
      event.preventDefault()
      choose(current)
      return
    }
    const isMirrored = document.documentElement.dir === 'rtl'
    const next = gifAfter(event.key, { chosen, count: gifs.length, isMirrored })
    if (next === undefined) return
    event.preventDefault()
    setChosen(next)
  }
  // On a touch screen, the on-screen keyboard would hide the GIFs.
  const isTouch = matchMedia('(pointer: coarse)').matches
  return (
    <Popover
      anchor={anchor}
      class="gif-picker"
      role="dialog"
      isFocused={isTouch}
      label={c.gif}
      onClose={onClose}
    >
      <input
        class="field"
        role="combobox"
        autofocus={!isTouch}
        placeholder={c.gifs.search(name)}
        aria-label={c.gifs.search(name)}
        aria-haspopup="grid"
        aria-expanded={gifs.length > 0}
        aria-autocomplete="list"
        aria-controls="gif-found"
        aria-activedescendant={current ? `gif-${chosen}` : undefined}
        maxLength={50}
        value={query}
        onKeyDown={onKeyDown}
        onInput={(event) => setQuery(event.currentTarget.value)}
      />
      {gifs.length > 0 ? (
        <GifGrid grid={grid} gifs={gifs} chosen={chosen} onPoint={setChosen} onChoose={choose} onEnd={more} />
      ) : (
        <div class="gif-rest">
          {hasFailed ? (
            <div role="alert">
              <Empty title={c.gifs.failed}>
                <Button onClick={() => ask()}>{t.tryAgain}</Button>
              </Empty>
            </div>
          ) : found ? (
            <p class="soft" role="status">
              {wanted === '' ? c.gifs.none : c.gifs.noneFor(wanted)}
            </p>
          ) : (
            <Loading label={t.loading} />
          )}
        </div>
      )}
      <p class="gif-foot">
        {gifs.length > 0 && hasFailed ? (
          <span role="alert">
            {c.gifs.failed} <Button onClick={() => ask(found)}>{t.tryAgain}</Button>
          </span>
        ) : (
          current && (
            <span class="one-line soft" dir="auto">
              {current.title}
            </span>
          )
        )}
        {/* The mark stays as the providers want it, in any language. */}
        <span class="gif-by">
          <a href={href} target="_blank" rel="noopener noreferrer" lang="en" dir="ltr">
            {c.gifs.by(name)}
          </a>
        </span>
      </p>
    </Popover>
  )
}
