import { useState } from 'preact/hooks'
import { state, watch } from '../../chat.ts'
import { goToNarrow } from '../../navigation.ts'
import { withQuote } from '../../state/message-parts.ts'
import { type Narrow, narrowKey } from '../../state/narrow.ts'
import type { Message } from '../../state/wire.ts'
import { f } from '../../texts/frame.ts'
import { t } from '../../texts/texts.ts'
import { attempt } from '../announcement.tsx'
import { focusText, fromServer, place, targetOf, text, write } from '../compose/compose-state.ts'
import { keep, readKept } from '../compose/kept-drafts.ts'
import { quotedMarkdown } from '../compose/quoted.ts'
import { placesFor } from '../go-to/destinations.ts'
import { Finder } from '../go-to/finder.tsx'

export { loadFrameTexts } from '../../texts/frame.ts'

interface ForwardProps {
  readonly messageId: number
  readonly onClose: () => void
}

/** Asks for a conversation, and quotes a message in the box there, to be sent with or without words of one's own. */
export function Forward({ messageId, onClose }: ForwardProps) {
  watch('recent', 'channel', 'user')
  const [words, setWords] = useState('')
  return (
    <Finder
      title={t.message.forward}
      placeholder={f.forwardTo}
      words={words}
      onWords={setWords}
      destinations={placesFor(words.trim())}
      onGo={({ narrow }) => {
        const message = state.messages.get(messageId)
        if (message) void attempt(forward(message, narrow))
      }}
      onClose={onClose}
    />
  )
}

async function forward(message: Message, narrow: Narrow): Promise<void> {
  const markdown = await quotedMarkdown(message, { namesSource: true })
  const join = (there: string) => withQuote(there, markdown) ?? `${there}${there && '\n'}${markdown}`
  const key = narrowKey(narrow)
  if (key === place.value.key) write(join(text.value))
  else {
    const there = readKept(key) ?? fromServer(narrow)
    keep(key, { ...there, target: there?.target ?? targetOf(narrow), text: join(there?.text ?? '') })
  }
  goToNarrow(narrow)
  focusText()
}
