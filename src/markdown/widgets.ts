/** A widget made from a message: the content of its first submessage. */
export type Widget =
  | { widget_type: 'poll'; extra_data: { question: string; options: string[] } }
  | {
      widget_type: 'todo'
      extra_data: { task_list_title: string; tasks: { task: string; desc: string }[] }
    }

/** Removes the list marker of an item. */
function withoutListMarker(line: string): string {
  return line.trim().replace(/^[-*](?=\s|$)\s*/, '')
}

/**
 * Returns the widget of a message that begins with `/poll` or `/todo`: the title in the first line, an option or a task (`name:
 * description`) in each following one. An option or a task that is written twice counts once. Undefined for any other message.
 */
export function parseWidget(content: string): Widget | undefined {
  const [first, ...rest] = content.trim().split('\n') as [string, ...string[]]
  const [, command, title] = /^\/(poll|todo)(?:\s(.*))?$/s.exec(first.trim()) ?? []
  if (command === undefined) return undefined
  const items = rest.map(withoutListMarker).filter((item) => item !== '')
  if (command === 'poll') {
    return {
      widget_type: 'poll',
      extra_data: { question: title?.trim() ?? '', options: [...new Set(items)] },
    }
  }
  const tasks = items.map((item) => {
    const colon = item.indexOf(':')
    if (colon < 0) return { task: item, desc: '' }
    return { task: item.slice(0, colon).trim(), desc: item.slice(colon + 1).trim() }
  })
  return {
    widget_type: 'todo',
    extra_data: { task_list_title: title?.trim() || 'Task list', tasks: withoutRepeated(tasks) },
  }
}

/** Returns the first task of each name, as clients add them: a task has no second one of its name. */
function withoutRepeated<Task extends { readonly task: string }>(tasks: readonly Task[]): Task[] {
  const seen = new Set<string>()
  return tasks.filter(({ task }) => !seen.has(task) && seen.add(task))
}
