import './widget.css'
import { Check } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { submit } from '../../actions/message-changes.ts'
import { state, watch } from '../../chat.ts'
import { isMutedPerson } from '../../state/muted-people.ts'
import type { Message } from '../../state/wire.ts'
import { r } from '../../texts/reading.ts'
import { t } from '../../texts/texts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Refusal } from '../../ui/refusal.tsx'
import { attempt } from '../announcement.tsx'
import { listedBriefly, userName } from '../words.ts'
import { HtmlText } from './html-text.tsx'
import { openDialog } from './surface.ts'
import { readPoll, readTodo } from './widget-data.ts'

export { loadReadingTexts } from '../../texts/reading.ts'

/** A poll or a to-do list with all entries applied; any other message as it is. */
export function Widget({ message }: { readonly message: Message }) {
  // The object stays the same with every vote.
  watch(`message ${message.id}`)
  const poll = readPoll(message.submessages, (id) => isMutedPerson(state, id))
  if (poll) return <Poll message={message} poll={poll} />
  const todo = readTodo(message.submessages)
  if (todo) return <Todo message={message} todo={todo} />
  return <HtmlText html={message.content} />
}

function Poll({
  message,
  poll,
}: {
  readonly message: Message
  readonly poll: NonNullable<ReturnType<typeof readPoll>>
}) {
  const own = poll.options.filter(({ key }) => key.startsWith(`${state.me},`)).length
  const most = Math.max(1, ...poll.options.map(({ voters }) => voters.length))
  return (
    <section class="widget">
      <Title
        message={message}
        title={poll.question}
        unnamed={t.widget.poll}
        entryOf={(question) => ({ type: 'question', question })}
      />
      <ul>
        {poll.options.map(({ key, text, voters }) => {
          const isMine = voters.includes(state.me)
          return (
            <li key={key} class="widget-row">
              <button
                type="button"
                class="widget-vote"
                aria-pressed={isMine}
                style={{ '--share': `${(100 * voters.length) / most}%` }}
                onClick={() => attempt(submit(message.id, { type: 'vote', key, vote: isMine ? -1 : 1 }))}
              >
                <span class="hidden-text">{r.widget.votes({ option: text, count: voters.length })}</span>
                <span class="widget-choice" aria-hidden="true">
                  {isMine && <Icon name={Check} />}
                </span>
                <span class="widget-option" dir="auto" aria-hidden="true">
                  {text}
                </span>
                <span class="widget-count" aria-hidden="true">
                  {voters.length}
                </span>
              </button>
              <Voters messageId={message.id} ids={voters} />
            </li>
          )
        })}
      </ul>
      <Add
        message={message}
        label={t.widget.newOption}
        present={poll.options.map(({ text }) => text)}
        own={own}
        entryOf={(option, idx) => ({ type: 'new_option', idx, option })}
      />
    </section>
  )
}

/** Number of people who are named beside what they chose. */
const NAMED = 5

/** The people who chose an option; of many the first, and a way to all of them. */
function Voters({ messageId, ids }: { readonly messageId: number; readonly ids: readonly number[] }) {
  if (ids.length === 0) return null
  const names = listedBriefly(ids.map(userName), NAMED)
  if (ids.length <= NAMED + 1) return <span class="small soft">{names}</span>
  return (
    <button type="button" class="small soft widget-voters" onClick={() => openDialog('votes', messageId)}>
      {names}
    </button>
  )
}

function Todo({
  message,
  todo,
}: {
  readonly message: Message
  readonly todo: NonNullable<ReturnType<typeof readTodo>>
}) {
  const own = todo.tasks.filter(
    ({ key }) => key.endsWith(`,${state.me}`) || key.startsWith(`${state.me},`),
  ).length
  return (
    <section class="widget">
      <Title
        message={message}
        title={todo.title}
        unnamed={t.widget.todo}
        entryOf={(title) => ({ type: 'new_task_list_title', title })}
      />
      <ul>
        {todo.tasks.map(({ key, text, description, isDone }) => (
          <li key={key}>
            <label class="check">
              <input
                type="checkbox"
                checked={isDone}
                onChange={async ({ currentTarget: box }) => {
                  if (!(await sendEntry(message, { type: 'strike', key }))) box.checked = isDone
                }}
              />
              <span class={isDone ? 'widget-done' : ''} dir="auto">
                {text} {description && <span class="small soft">{description}</span>}
              </span>
            </label>
          </li>
        ))}
      </ul>
      <Add
        message={message}
        label={r.widget.newTask}
        present={todo.tasks.map(({ text }) => text)}
        own={own}
        entryOf={(task, key) => ({ type: 'new_task', key, task, desc: '', completed: false })}
      />
    </section>
  )
}

interface TitleProps {
  readonly message: Message
  readonly title: string
  readonly unnamed: string
  /** Returns what is sent for a text. */
  readonly entryOf: (text: string) => object
}

/** The question or title, which its author may change. */
function Title({ message, title, unnamed, entryOf }: TitleProps) {
  const [typed, setTyped] = useState<string>()
  const edit = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const isOpen = typed !== undefined
  const wasOpen = useRef(false)
  useEffect(() => {
    if (isOpen) field.current?.select()
    else if (wasOpen.current) edit.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  if (typed === undefined) {
    return (
      <div class="widget-head">
        <p class="widget-title" dir="auto">
          {title || unnamed}
        </p>
        {message.sender_id === state.me && (
          <IconButton
            icon="edit"
            buttonRef={edit}
            label={`${t.message.edit}: ${title || unnamed}`}
            onClick={() => setTyped(title)}
          />
        )}
      </div>
    )
  }
  const close = () => setTyped(undefined)
  return (
    <form
      class="widget-add widget-head"
      onSubmit={async (event) => {
        event.preventDefault()
        const wanted = typed.trim()
        if (wanted === '') return
        if (wanted === title || (await sendEntry(message, entryOf(wanted)))) close()
      }}
    >
      <input
        ref={field}
        class="field"
        dir="auto"
        value={typed}
        aria-label={unnamed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          event.stopPropagation()
          close()
        }}
      />
      <Button onClick={close}>{t.cancel}</Button>
      <Button type="submit" kind="main">
        {t.save}
      </Button>
    </form>
  )
}

interface AddProps {
  readonly message: Message
  /** Number of the user's own entries. */
  readonly own: number
  /** Returns what is sent for a text, with its number, which no other entry of the user's has. */
  readonly entryOf: (text: string, number: number) => object
  readonly label: string
  /** The texts of the present entries; a second one of the same text would not count. */
  readonly present: readonly string[]
}

/** A field for another option or task. It keeps what was refused. */
function Add({ message, own, label, present, entryOf }: AddProps) {
  const [typed, setTyped] = useState('')
  const [isRepeated, setRepeated] = useState(false)
  // The next entry may be written while this one is on its way.
  const last = useRef(0)
  return (
    <>
      <form
        class="widget-add"
        onSubmit={async (event) => {
          event.preventDefault()
          const wanted = typed.trim()
          if (wanted === '') return
          setRepeated(present.includes(wanted))
          if (present.includes(wanted)) return
          setTyped('')
          last.current = Math.max(own, last.current) + 1
          if (!(await sendEntry(message, entryOf(wanted, last.current)))) setTyped((now) => now || wanted)
        }}
      >
        <input
          class="field"
          dir="auto"
          value={typed}
          aria-label={label}
          placeholder={label}
          aria-invalid={isRepeated}
          onInput={(event) => {
            setTyped(event.currentTarget.value)
            setRepeated(false)
          }}
        />
        <Button type="submit">{r.widget.add}</Button>
      </form>
      <Refusal>{isRepeated ? t.widget.isThere : ''}</Refusal>
    </>
  )
}

/** Sends an entry. Returns whether it was accepted; a refusal is shown. */
async function sendEntry(message: Message, entry: object): Promise<boolean> {
  return (await attempt(submit(message.id, entry).then(() => true))) === true
}
