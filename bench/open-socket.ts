/** Opens a WebSocket at an address of HTTP. That of Node accepts headers, unlike that of browsers and its types. */
export function openSocket(address: string, headers: Readonly<Record<string, string>> = {}): WebSocket {
  return Reflect.construct(WebSocket, [address.replace('http', 'ws'), { headers }]) as WebSocket
}
