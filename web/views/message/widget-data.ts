import { fromJson } from '../../api/json.ts'
import type { Submessage } from '../../state/wire.ts'

interface PollOption {
  readonly key: string
  readonly text: string
  readonly voters: number[]
}

export interface Poll {
  question: string
  readonly options: PollOption[]
}

interface Task {
  readonly key: string
  readonly text: string
  readonly description: string
  isDone: boolean
}

export interface Todo {
  title: string
  readonly tasks: Task[]
}

type Data = Readonly<Record<string, unknown>>

function parsed({ content }: Submessage): Data {
  try {
    return fromJson<Data>(content)
  } catch {
    return {}
  }
}

function begin(submessages: readonly Submessage[], kind: string): Data | undefined {
  const [first] = submessages
  const data = first && parsed(first)
  return data?.widget_type === kind ? ((data.extra_data ?? {}) as Data) : undefined
}

/** Returns the poll with all votes; undefined for anything else. */
export function readPoll(submessages: readonly Submessage[]): Poll | undefined {
  const extra = begin(submessages, 'poll')
  if (!extra) return undefined
  const texts = Array.isArray(extra.options) ? extra.options : []
  const poll: Poll = {
    question: String(extra.question ?? ''),
    options: texts.map((text, index) => ({ key: `canned,${index}`, text: String(text), voters: [] })),
  }
  for (const one of submessages.slice(1)) {
    const data = parsed(one)
    if (data.type === 'question') poll.question = String(data.question ?? '')
    else if (data.type === 'new_option') {
      const key = `${one.sender_id},${data.idx}`
      const isThere = poll.options.some((option) => option.key === key || option.text === data.option)
      if (!isThere) poll.options.push({ key, text: String(data.option ?? ''), voters: [] })
    } else if (data.type === 'vote') {
      const voters = poll.options.find(({ key }) => key === data.key)?.voters
      if (!voters) continue
      const at = voters.indexOf(one.sender_id)
      if (data.vote === 1 && at === -1) voters.push(one.sender_id)
      else if (data.vote === -1 && at !== -1) voters.splice(at, 1)
    }
  }
  return poll
}

/** Returns the list with all entries applied; undefined for anything else. */
export function readTodo(submessages: readonly Submessage[]): Todo | undefined {
  const extra = begin(submessages, 'todo')
  if (!extra) return undefined
  const tasks = Array.isArray(extra.tasks) ? (extra.tasks as Data[]) : []
  const todo: Todo = {
    title: String(extra.task_list_title ?? ''),
    tasks: tasks.map(({ task, desc }, index) => ({
      key: `${index},canned`,
      text: String(task ?? ''),
      description: String(desc ?? ''),
      isDone: false,
    })),
  }
  for (const one of submessages.slice(1)) {
    const data = parsed(one)
    if (data.type === 'new_task_list_title') todo.title = String(data.title ?? '')
    else if (data.type === 'new_task') {
      const key = `${data.key},${one.sender_id}`
      if (todo.tasks.some((task) => task.key === key || task.text === data.task)) continue
      todo.tasks.push({
        key,
        text: String(data.task ?? ''),
        description: String(data.desc ?? ''),
        isDone: data.completed === true,
      })
    } else if (data.type === 'strike') {
      const task = todo.tasks.find(({ key }) => key === data.key)
      if (task) task.isDone = !task.isDone
    }
  }
  return todo
}
