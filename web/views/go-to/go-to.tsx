import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { findMessages } from '../../actions/search.ts'
import { state, watch } from '../../chat.ts'
import { isMutedPerson } from '../../state/muted-people.ts'
import type { Message } from '../../state/wire.ts'
import { t } from '../../texts/texts.ts'
import { goToWanted, isGoToOpen } from '../preferences.ts'
import { destinationsFor, placeOfMessage } from './destinations.ts'
import { Finder } from './finder.tsx'

export { loadFrameTexts } from '../../texts/frame.ts'
export { loadSettingsTexts } from '../../texts/settings.ts'

/** Characters from which on messages are searched too, and milliseconds after the last of them. */
const SEARCH = { from: 3, afterMs: 250, limit: 6 } as const

/** Goes anywhere by the letters of a name, and does anything that can be done from anywhere. */
export function GoTo() {
  watch('recent', 'unread', 'channel', 'user')
  const [words, setWords] = useState('')
  const messages = useMessages(words.trim())
  // The dialog has given the field the focus.
  useLayoutEffect(() => {
    goToWanted.value = undefined
  }, [])
  return (
    <Finder
      title={t.goTo.title}
      placeholder={t.goTo.placeholder}
      words={words}
      onWords={setWords}
      destinations={[...destinationsFor(words.trim()), ...messages.map(placeOfMessage)]}
      onGo={(destination) => destination.go()}
      onClose={() => {
        isGoToOpen.value = false
      }}
    />
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
  return found?.words === words
    ? found.messages.filter(({ sender_id }) => !isMutedPerson(state, sender_id))
    : []
}
