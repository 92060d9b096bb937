import { fromJson } from '../../api/json.ts'
import type { Submessage } from '../../state/wire.ts'

interface PollOption {
  readonly key: string
  readonly text: string
  readonly voters: number[]
}

export interface Poll {
  readonly question: string
  readonly options: PollOption[]
}

interface Task {
  readonly key: string
  readonly text: string
  readonly description: string
  isDone: boolean
}

export interface Todo {
  readonly title: string
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

/** Entries by their keys: one that has the text of another is the same. */
class Entries<One extends { readonly text: string }> {
  readonly list: One[] = []
  readonly #byKey = new Map<unknown, One>()

  add(key: string, entry: One): void {
    if (this.#byKey.has(key)) return
    const same = this.list.find(({ text }) => text === entry.text)
    if (!same) this.list.push(entry)
    this.#byKey.set(key, same ?? entry)
  }

  get(key: unknown): One | undefined {
    return this.#byKey.get(key)
  }
}

/** Returns the poll with all votes but those of `isLeftOut`; undefined for anything else. */
export function readPoll(
  submessages: readonly Submessage[],
  isLeftOut: (userId: number) => boolean = () => false,
): Poll | undefined {
  const extra = begin(submessages, 'poll')
  if (!extra) return undefined
  let question = String(extra.question ?? '')
  const options = new Entries<PollOption>()
  const add = (key: string, text: unknown) => options.add(key, { key, text: String(text ?? ''), voters: [] })
  const texts = Array.isArray(extra.options) ? extra.options : []
  for (const [index, text] of texts.entries()) add(`canned,${index}`, text)
  for (const one of submessages.slice(1)) {
    const data = parsed(one)
    if (data.type === 'question') question = String(data.question ?? '')
    else if (data.type === 'new_option') add(`${one.sender_id},${data.idx}`, data.option)
    else if (data.type === 'vote' && !isLeftOut(one.sender_id)) {
      const voters = options.get(data.key)?.voters
      if (!voters) continue
      const at = voters.indexOf(one.sender_id)
      if (data.vote === 1 && at === -1) voters.push(one.sender_id)
      else if (data.vote === -1 && at !== -1) voters.splice(at, 1)
    }
  }
  return { question, options: options.list }
}

/** Returns the list with all entries applied; undefined for anything else. */
export function readTodo(submessages: readonly Submessage[]): Todo | undefined {
  const extra = begin(submessages, 'todo')
  if (!extra) return undefined
  let title = String(extra.task_list_title ?? '')
  const tasks = new Entries<Task>()
  const add = (key: string, { task, desc, completed }: Data) =>
    tasks.add(key, {
      key,
      text: String(task ?? ''),
      description: String(desc ?? ''),
      isDone: completed === true,
    })
  const first = Array.isArray(extra.tasks) ? (extra.tasks as Data[]) : []
  for (const [index, task] of first.entries()) add(`${index},canned`, task)
  for (const one of submessages.slice(1)) {
    const data = parsed(one)
    if (data.type === 'new_task_list_title') title = String(data.title ?? '')
    else if (data.type === 'new_task') add(`${data.key},${one.sender_id}`, data)
    else if (data.type === 'strike') {
      const task = tasks.get(data.key)
      if (task) task.isDone = !task.isDone
    }
  }
  return { title, tasks: tasks.list }
}
