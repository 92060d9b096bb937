import './go-to.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import { loadRecent } from '../../actions/message-windows.ts'
import { f } from '../../texts/frame.ts'
import { t } from '../../texts/texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Count } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { keyInPlaceOf, keyOf, signOf } from '../../ui/keys.ts'
import { usesSingleKeys } from '../preferences.ts'
import type { Destination, Group } from './destinations.ts'

interface FinderProps<One extends Destination> {
  readonly title: string
  readonly placeholder: string
  readonly words: string
  readonly onWords: (words: string) => void
  /** What fits the words, best first. */
  readonly destinations: readonly One[]
  /** Called once the dialog is closed. */
  readonly onGo: (one: One) => void
  readonly onClose: () => void
}

/** A dialog with a field and a list of what fits its words: arrows go through it, and Enter takes the chosen one. */
export function Finder<One extends Destination>(props: FinderProps<One>) {
  const { title, placeholder, words, onWords, destinations, onGo, onClose } = props
  const [chosen, setChosen] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const go = (destination: One | undefined) => {
    if (!destination) return
    onClose()
    // The dialog first returns the focus to where it was.
    setTimeout(() => {
      // What is typed there is no word for the filter of a list.
      const focused = document.activeElement
      if (focused instanceof HTMLInputElement && focused.type === 'search') focused.blur()
      onGo(destination)
    })
  }
  // Recent conversations are loaded when a user opens it.
  useEffect(() => {
    loadRecent().catch(() => {})
  }, [])
  useEffect(() => {
    list.current?.querySelector(`#go-to-${chosen}`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && destinations.length > 0) {
      event.preventDefault()
      setChosen((chosen + step + destinations.length) % destinations.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      go(destinations[chosen])
    } else if (keyOf(event) === keyInPlaceOf('Ctrl+k')) {
      event.preventDefault()
      onClose()
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="go-to">
        <input
          class="field"
          dir="auto"
          role="combobox"
          aria-label={title}
          placeholder={placeholder}
          aria-expanded={destinations.length > 0}
          aria-controls="go-to-choices"
          aria-autocomplete="list"
          aria-activedescendant={destinations[chosen] ? `go-to-${chosen}` : undefined}
          autocomplete="off"
          spellcheck={false}
          value={words}
          onInput={(event) => {
            onWords(event.currentTarget.value)
            setChosen(0)
          }}
          onKeyDown={onKeyDown}
        />
        {destinations.length === 0 && <p class="go-to-choices soft">{t.goTo.nothing}</p>}
        <div
          ref={list}
          id="go-to-choices"
          class="go-to-choices"
          role="listbox"
          aria-label={t.search.choices}
          hidden={destinations.length === 0}
        >
          {groupsOf(destinations).map(({ group, from, members }) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset may not be in a list
            <div key={group} role="group" aria-labelledby={`go-to-group-${group}`}>
              <div id={`go-to-group-${group}`} class="go-to-heading" role="presentation">
                {f.palette.groups[group]}
              </div>
              {members.map((destination, at) => (
                <Choice
                  key={destination.key}
                  destination={destination}
                  index={from + at}
                  isChosen={from + at === chosen}
                  onGo={() => go(destination)}
                />
              ))}
            </div>
          ))}
        </div>
      </div>
    </Dialog>
  )
}

/** Returns neighbours with the same heading together. `from`: the index of the first. */
function groupsOf<One extends Destination>(all: readonly One[]) {
  const groups: { readonly group: Group; readonly from: number; readonly members: One[] }[] = []
  for (const [index, one] of all.entries()) {
    const last = groups.at(-1)
    if (last?.group === one.group) last.members.push(one)
    else groups.push({ group: one.group, from: index, members: [one] })
  }
  return groups
}

interface ChoiceProps {
  readonly destination: Destination
  readonly index: number
  readonly isChosen: boolean
  readonly onGo: () => void
}

function Choice({ destination: { icon, name, note, unread, hint }, index, isChosen, onGo }: ChoiceProps) {
  const key = hint === undefined ? '' : keyInPlaceOf(hint)
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the box has the focus and names the chosen one
    // biome-ignore lint/a11y/useKeyWithClickEvents: the box takes the keys
    <div id={`go-to-${index}`} class="completion" role="option" aria-selected={isChosen} onClick={onGo}>
      <Icon name={icon} />
      <span class="one-line" dir="auto">
        {name}
      </span>
      {note && (
        <span class="one-line soft small" dir="auto">
          {note}
        </span>
      )}
      <Count count={unread} label={t.unread(unread)} />
      {key !== '' && usesSingleKeys.value && <kbd class="go-to-key">{signOf(key)}</kbd>}
    </div>
  )
}
