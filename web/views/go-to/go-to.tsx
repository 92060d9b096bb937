import './go-to.css'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { loadRecent } from '../../actions/message-windows.ts'
import { findMessages } from '../../actions/search.ts'
import { watch } from '../../chat.ts'
import type { Message } from '../../state/wire.ts'
import { t } from '../../texts/texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Count } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { keyInPlaceOf, keyOf } from '../../ui/keys.ts'
import { goToWanted, isGoToOpen } from '../preferences.ts'
import { type Destination, destinationsFor, placeOfMessage } from './destinations.ts'

export { loadFrameTexts } from '../../texts/frame.ts'
export { loadSettingsTexts } from '../../texts/settings.ts'

/** Characters from which on messages are searched too, and milliseconds after the last of them. */
const SEARCH = { from: 3, afterMs: 250, limit: 6 } as const

/** Goes anywhere by the letters of a name, and does anything that can be done from anywhere. */
export function GoTo() {
  watch('recent', 'unread', 'channel', 'user')
  const [words, setWords] = useState('')
  const [chosen, setChosen] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const messages = useMessages(words.trim())
  const destinations = [...destinationsFor(words.trim()), ...messages.map(placeOfMessage)]
  const close = () => {
    isGoToOpen.value = false
  }
  const go = (destination: Destination | undefined) => {
    if (!destination) return
    close()
    // The dialog first returns the focus to where it was.
    setTimeout(() => {
      // What is typed there is no word for the filter of a list.
      const focused = document.activeElement
      if (focused instanceof HTMLInputElement && focused.type === 'search') focused.blur()
      destination.go()
    })
  }
  // The dialog has given the field the focus.
  useLayoutEffect(() => {
    goToWanted.value = undefined
  }, [])
  // Recent conversations are loaded when a user opens it.
  useEffect(() => {
    loadRecent().catch(() => {})
  }, [])
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' })
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
      close()
    }
  }
  return (
    <Dialog title={t.goTo.title} onClose={close}>
      <div class="go-to">
        <input
          class="field"
          dir="auto"
          role="combobox"
          aria-label={t.goTo.title}
          placeholder={t.goTo.placeholder}
          aria-expanded={destinations.length > 0}
          aria-controls="go-to-choices"
          aria-autocomplete="list"
          aria-activedescendant={destinations[chosen] ? `go-to-${chosen}` : undefined}
          autocomplete="off"
          spellcheck={false}
          value={words}
          onInput={(event) => {
            setWords(event.currentTarget.value)
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
          {destinations.map((destination, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the box has the focus and names the chosen one
            // biome-ignore lint/a11y/useKeyWithClickEvents: the box takes the keys
            <div
              key={destination.key}
              id={`go-to-${index}`}
              class="completion"
              role="option"
              aria-selected={index === chosen}
              onClick={() => go(destination)}
            >
              <Icon name={destination.icon} />
              <span class="one-line" dir="auto">
                {destination.name}
              </span>
              {destination.note && (
                <span class="one-line soft small" dir="auto">
                  {destination.note}
                </span>
              )}
              <Count count={destination.unread} label={t.unread(destination.unread)} />
            </div>
          ))}
        </div>
      </div>
    </Dialog>
  )
}

/** Returns the newest messages with the words, once they have come. */
function useMessages(words: string): readonly Message[] {
  const [found, setFound] = useState<{ readonly words: string; readonly messages: readonly Message[] }>()
  useEffect(() => {
    if (words.length < SEARCH.from) return
    let isWanted = true
    const timer = setTimeout(async () => {
      // Where the search fails, its own view says why.
      const messages = await findMessages(words, SEARCH.limit).catch(() => [])
      if (isWanted) setFound({ words, messages })
    }, SEARCH.afterMs)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [words])
  return found?.words === words ? found.messages : []
}
