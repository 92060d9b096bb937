import { problemsOf } from './page-parameters.js'

const parameters = JSON.parse(document.getElementById('page-params').dataset.params)
const csrfToken = document.querySelector('[name=csrfmiddlewaretoken]').value
const compose = document.getElementById('compose')
const { state_data: state } = parameters
let sent = 0

async function call(method, path, params = {}, body = undefined) {
  const fields = new URLSearchParams(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
  const isReading = method === 'GET'
  const response = await fetch(`/json${path}${isReading ? `?${fields}` : ''}`, {
    method,
    headers: { 'X-CSRFToken': csrfToken },
    body: isReading ? undefined : (body ?? fields),
  })
  const answer = await response.json()
  if (answer.result !== 'success') throw new Error(`${path}: ${answer.msg}`)
  return answer
}

function add(list, text) {
  const item = document.createElement('li')
  item.innerHTML = text
  document.getElementById(list).append(item)
}

async function follow() {
  for (let last = state.last_event_id; ; ) {
    const { events } = await call('GET', '/events', { queue_id: state.queue_id, last_event_id: last })
    for (const event of events) {
      last = Math.max(last, event.id)
      if (event.type === 'message') add('messages', event.message.content)
    }
  }
}

addEventListener('unhandledrejection', ({ reason }) => add('problems', String(reason)))

compose.addEventListener('submit', async (event) => {
  event.preventDefault()
  let content = compose.content.value
  const [file] = compose.file.files
  if (file) {
    const form = new FormData()
    form.append('file', file)
    const { url, filename } = await call('POST', '/user_uploads', {}, form)
    content += ` [${filename}](${url})`
  }
  await call('POST', '/messages', {
    type: 'direct',
    to: [state.user_id],
    content,
    queue_id: state.queue_id,
    // With the same one twice the second would be the first once more.
    local_id: String(++sent / 100),
  })
})

const keysOfState = await (await fetch('/static/keys-of-state.json')).json()
for (const problem of problemsOf(parameters, keysOfState)) add('problems', problem)
const { messages } = await call('GET', '/messages', { anchor: 'newest', num_before: 100, num_after: 0 })
for (const { content } of messages) add('messages', content)
document.body.dataset.state = 'ready'
follow()
