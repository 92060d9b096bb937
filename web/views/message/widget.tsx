import './widget.css'
import { useState } from 'preact/hooks'
import { submit } from '../../actions/message-changes.ts'
import { state, watch } from '../../chat.ts'
import type { Message } from '../../state/wire.ts'
import { listed, t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { attempt } from '../announcement.tsx'
import { userName } from '../words.ts'
import { HtmlText } from './html-text.tsx'
import { readPoll, readTodo } from './widget-data.ts'

/** A poll or a list of things to do, as everybody's entries have made it; any other message as it is. */
export function Widget({ message }: { readonly message: Message }) {
  // The object stays the same with every vote.
  watch(`message ${message.id}`)
  const poll = readPoll(message.submessages)
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
  const [option, setOption] = useState('')
  const own = poll.options.filter(({ key }) => key.startsWith(`${state.me},`)).length
  return (
    <section class="widget">
      <p class="widget-title">{poll.question || t.widget.poll}</p>
      <ul>
        {poll.options.map(({ key, text, voters }) => {
          const isMine = voters.includes(state.me)
          return (
            <li key={key} class="widget-row">
              <button
                type="button"
                class="reaction"
                aria-pressed={isMine}
                aria-label={t.widget.votes(text, voters.length)}
                onClick={() => attempt(submit(message.id, { type: 'vote', key, vote: isMine ? -1 : 1 }))}
              >
                {voters.length}
              </button>
              <span>{text}</span>
              {voters.length > 0 && <span class="small soft">{listed(voters.map(userName))}</span>}
            </li>
          )
        })}
      </ul>
      <form
        class="widget-add"
        onSubmit={(event) => {
          event.preventDefault()
          if (option.trim() === '') return
          attempt(submit(message.id, { type: 'new_option', idx: own + 1, option: option.trim() }))
          setOption('')
        }}
      >
        <input
          class="field"
          value={option}
          aria-label={t.widget.newOption}
          placeholder={t.widget.newOption}
          onInput={(event) => setOption(event.currentTarget.value)}
        />
        <Button type="submit">{t.widget.add}</Button>
      </form>
    </section>
  )
}

function Todo({
  message,
  todo,
}: {
  readonly message: Message
  readonly todo: NonNullable<ReturnType<typeof readTodo>>
}) {
  const [task, setTask] = useState('')
  const own = todo.tasks.filter(
    ({ key }) => key.endsWith(`,${state.me}`) || key.startsWith(`${state.me},`),
  ).length
  return (
    <section class="widget">
      <p class="widget-title">{todo.title || t.widget.todo}</p>
      <ul>
        {todo.tasks.map(({ key, text, description, isDone }) => (
          <li key={key}>
            <label class="check">
              <input
                type="checkbox"
                checked={isDone}
                onChange={() => attempt(submit(message.id, { type: 'strike', key }))}
              />
              <span class={isDone ? 'widget-done' : ''}>
                {text} {description && <span class="small soft">{description}</span>}
              </span>
            </label>
          </li>
        ))}
      </ul>
      <form
        class="widget-add"
        onSubmit={(event) => {
          event.preventDefault()
          if (task.trim() === '') return
          attempt(
            submit(message.id, {
              type: 'new_task',
              key: own + 1,
              task: task.trim(),
              desc: '',
              completed: false,
            }),
          )
          setTask('')
        }}
      >
        <input
          class="field"
          value={task}
          aria-label={t.widget.newTask}
          placeholder={t.widget.newTask}
          onInput={(event) => setTask(event.currentTarget.value)}
        />
        <Button type="submit">{t.widget.add}</Button>
      </form>
    </section>
  )
}
