import { call } from './parley.mjs'

const queue = await call('POST', '/register', { event_types: ['message'] })
let { last_event_id } = queue
while (true) {
  // The answer comes when there is an event, or after a minute with a heartbeat.
  const { events } = await call('GET', '/events', { queue_id: queue.queue_id, last_event_id })
  for (const { id, type, message } of events) {
    last_event_id = id
    if (type === 'message') console.log(`${message.sender_full_name}: ${message.content}`)
  }
}
