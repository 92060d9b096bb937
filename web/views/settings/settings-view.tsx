import './settings.css'
import type { TargetedMouseEvent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { state, watch } from '../../chat.ts'
import { address, placeBelow } from '../../navigation.ts'
import { loadFrameTexts } from '../../texts/frame.ts'
import { loadSettingsTexts as loadTexts, s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { isNarrow } from '../preferences.ts'
import { findSettings } from './search-index.ts'
import { GROUPS, offeredSections, type Section, sectionAt } from './sections.ts'

/** Loads the texts of the settings, and those of the keys, which help has too. */
export async function loadSettingsTexts(): Promise<void> {
  await Promise.all([loadTexts(), loadFrameTexts()])
}

/** Elements that take Escape for themselves. */
const KEEPS_ESCAPE = '[popover], dialog, textarea, input:not([type="checkbox"]), select'

/**
 * All settings, of the user and of the organization, above everything else: a list of sections, and one of them.
 */
export function SettingsView() {
  watch('me', 'organization', 'group', 'channel')
  const [words, setWords] = useState('')
  const [sought, setSought] = useState<string>()
  const body = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  /** Whether a section was chosen by a key, which would otherwise have to pass all the others on the way to it. */
  const wasChosenByKey = useRef(false)
  useEffect(() => (sought === undefined ? undefined : showLabel(sought, body)), [sought])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if ((event.target as Element).closest(KEEPS_ESCAPE)) return
      event.stopPropagation()
      location.hash = placeBelow.value
    }
    const root = document.getElementById('middle')
    root?.addEventListener('keydown', onKeyDown)
    return () => root?.removeEventListener('keydown', onKeyDown)
  }, [])
  const shown = address.value
  const at = [shown.view, ...('path' in shown ? shown.path : [])].join('/')
  const offered = offeredSections(state)
  const isIndex = at === 'settings' || at === 'organization'
  const first = offered.find((one) => at === 'settings' || one.at.startsWith('organization/'))
  const section = isIndex ? (first ?? offered[0]) : sectionAt(offered, at)
  const choose = (event: TargetedMouseEvent<HTMLAnchorElement>, label?: string) => {
    setSought(label)
    // Only keys click without a pointer.
    const isByKey = event.detail === 0
    if (event.currentTarget.hash !== `#${section?.at}`) wasChosenByKey.current = isByKey
    else if (isByKey) content.current?.focus({ preventScroll: true })
  }
  const list = { words, onWords: setWords, onChoose: choose }
  useEffect(() => {
    if (wasChosenByKey.current) content.current?.focus({ preventScroll: true })
    wasChosenByKey.current = false
  }, [section?.at])
  if (isIndex && isNarrow.value) {
    return (
      <>
        <Head title={t.views.settings} />
        <div class="view-scroll">
          <SectionList sections={offered} chosen={undefined} {...list} />
        </div>
      </>
    )
  }
  return (
    <>
      <Head title={section?.title() ?? t.views.settings} hasWayBack={isNarrow.value} />
      <div class="settings-columns">
        {!isNarrow.value && <SectionList sections={offered} chosen={section} {...list} />}
        {/* A group, since regions need names that no other region has. */}
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields alone */}
        <div
          role="group"
          ref={content}
          class="view-scroll settings-scroll"
          key={section?.at}
          aria-label={section?.title()}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a list without anything to press is scrolled by keys too
          tabIndex={0}
        >
          {section ? (
            <div class="settings" ref={body}>
              <section.View
                path={at
                  .slice(section.at.length + 1)
                  .split('/')
                  .filter(Boolean)}
              />
            </div>
          ) : (
            <Empty title={t.notThere.title}>
              <p>{s.notOffered}</p>
            </Empty>
          )}
        </div>
      </div>
    </>
  )
}

function Head({ title, hasWayBack = false }: { readonly title: string; readonly hasWayBack?: boolean }) {
  return (
    <header class="view-head">
      {hasWayBack ? (
        <a class="icon-button settings-back" href="#settings" aria-label={s.allSettings}>
          <Icon name="back" />
        </a>
      ) : (
        <Icon name="gear" />
      )}
      <h1>{title}</h1>
      <span class="view-head-space" />
      <a class="icon-button" href={placeBelow.value} aria-label={s.leave}>
        <Icon name="close" />
      </a>
    </header>
  )
}

/** Milliseconds in which a section may load before its setting is no longer looked for. */
const PATIENCE = 3_000

/** Brings the setting with a label into view once its section is there, and marks it for a moment. */
function showLabel(label: string, body: { readonly current: HTMLElement | null }): () => void {
  const until = Date.now() + PATIENCE
  const look = setInterval(() => {
    const texts = body.current?.querySelectorAll('span, h2, label, th') ?? []
    const found = [...texts].find((one) => one.textContent === label)
    if (found || Date.now() > until) clearInterval(look)
    const row = found?.closest('.setting-row, tr, .part') ?? found
    found?.closest('details')?.setAttribute('open', '')
    row?.scrollIntoView({ block: 'center' })
    row?.classList.add('setting-sought')
  }, 50)
  return () => {
    clearInterval(look)
    for (const one of document.querySelectorAll('.setting-sought')) one.classList.remove('setting-sought')
  }
}

interface SectionListProps {
  readonly sections: readonly Section[]
  readonly chosen: Section | undefined
  readonly words: string
  readonly onWords: (words: string) => void
  /** Called with the label of a setting if that was found and chosen. */
  readonly onChoose: (event: TargetedMouseEvent<HTMLAnchorElement>, label?: string) => void
}

function SectionList({ sections, chosen, words, onWords, onChoose }: SectionListProps) {
  const isSearching = words.trim() !== ''
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen, isSearching])
  return (
    <nav class="settings-nav" aria-label={t.views.settings}>
      <input
        class="field"
        type="search"
        aria-label={s.find}
        placeholder={s.find}
        value={words}
        onInput={(event) => onWords(event.currentTarget.value)}
      />
      <div ref={list} class="settings-list">
        {isSearching && <FoundSettings sections={sections} words={words} onChoose={onChoose} />}
        {!isSearching &&
          GROUPS.map((group) => {
            const own = sections.filter((section) => section.group === group)
            if (own.length === 0) return null
            return (
              <div key={group}>
                <h2>{s.groupsOfSections[group]}</h2>
                <ul>
                  {own.map((section) => (
                    <li key={section.at}>
                      <a
                        href={`#${section.at}`}
                        aria-current={section === chosen ? 'page' : undefined}
                        onClick={(event) => onChoose(event)}
                      >
                        <Icon name={section.icon} />
                        {section.title()}
                      </a>
                    </li>
                  ))}
                </ul>
              </div>
            )
          })}
      </div>
    </nav>
  )
}

function FoundSettings({
  sections,
  words,
  onChoose,
}: Pick<SectionListProps, 'sections' | 'words' | 'onChoose'>) {
  const found = findSettings(sections, words)
  if (found.length === 0) return <p class="setting-nothing">{s.findNothing}</p>
  return (
    <ul class="settings-found">
      {found.map(({ section, labels }) => (
        <li key={section.at}>
          <a href={`#${section.at}`} onClick={(event) => onChoose(event)}>
            {section.title()}
          </a>
          <ul>
            {labels.map((label) => (
              <li key={label}>
                <a class="small" href={`#${section.at}`} onClick={(event) => onChoose(event, label)}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}
