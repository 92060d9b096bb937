/** The frame of the room without anything in it. index.html has the same, so that nothing moves when the script takes over. */
export function StillFrame({ label }: { readonly label: string }) {
  const shapes = (count: number) => Array.from({ length: count }, (_, index) => <span key={index} />)
  return (
    <div class="still-frame" role="status" aria-label={label}>
      <div class="still-bar">{shapes(2)}</div>
      <div class="still-side">{shapes(8)}</div>
      <div class="still-middle">{shapes(5)}</div>
    </div>
  )
}
