/** Beside a name, so it says nothing itself. `size` in pixels. */
export function Avatar({ url, size }: { readonly url: string | null | undefined; readonly size: number }) {
  if (!url) return <span class="avatar" style={{ width: size, height: size }} />
  return <img class="avatar" src={url} width={size} height={size} alt="" loading="lazy" decoding="async" />
}
