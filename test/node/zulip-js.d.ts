/** The part of the official JavaScript client that the tests use; it has no types of its own. */
declare module 'zulip-js' {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the JSON it expects
  type Answer = Promise<any>
  type Call = (params?: Record<string, unknown>) => Answer

  interface Client {
    config: { apiKey: string }
    queues: { register: Call; deregister: Call }
    events: { retrieve: Call }
    messages: {
      send: Call
      retrieve: Call
      update: Call
      flags: { add: Call; remove: Call }
      deleteById: Call
    }
    reactions: { add: Call; remove: Call }
    streams: { retrieve: Call; subscriptions: { retrieve: Call }; getStreamId(name: string): Answer }
    users: {
      retrieve: Call
      create: Call
      me: { pointer: Call; getProfile(): Answer; subscriptions: { add: Call } }
    }
    server: { settings(): Answer }
    typing: { send: Call }
    callOnEachEvent(callback: (event: unknown) => void, eventTypes?: string[]): Promise<never>
  }

  export default function zulip(
    config:
      | { zuliprc: string }
      | ({ realm: string; username: string } & ({ password: string } | { apiKey: string })),
  ): Promise<Client>
}
