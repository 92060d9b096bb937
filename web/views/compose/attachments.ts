import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { api } from '../../actions/call.ts'
import { uploadFile } from '../../api/index.ts'
import { hasFiles } from '../../ui/drops.ts'
import { attempt } from '../announcement.tsx'
import { focusWanted, insert } from './compose-state.ts'

/** Files that are being uploaded, with their progress. */
export const uploads = signal<
  readonly { readonly name: string; readonly part: number; readonly stop: AbortController }[]
>([])

/** Uploads files, and writes a link to each into the box. */
export function attach(files: Iterable<File>): void {
  for (const file of files) void upload(file)
}

async function upload(file: File): Promise<void> {
  const stop = new AbortController()
  const entry = { name: file.name, part: 0, stop }
  uploads.value = [...uploads.value, entry]
  const show = (part: number) => {
    uploads.value = uploads.value.map((one) => (one.stop === stop ? { ...one, part } : one))
  }
  const done = await attempt(
    uploadFile(api, file, { endpoint: '/json/tus/', signal: stop.signal, onProgress: show }).catch(
      (error) => {
        if (stop.signal.aborted) return undefined
        throw error
      },
    ),
  )
  uploads.value = uploads.value.filter((one) => one.stop !== stop)
  if (!done) return
  insert(`[${done.filename.replaceAll(/[[\]]/g, '')}](${done.url})\n`, { ownLine: true })
  focusWanted.value = { at: 'text' }
}

/** Attaches files that are dropped anywhere in the view. Returns whether some are being held over it. */
export function useDrops(): boolean {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    const view = document.getElementById('middle')
    if (!view) return undefined
    const takes = (event: DragEvent) =>
      hasFiles(event) && !(event.target instanceof Element && event.target.closest('dialog, [popover]'))
    const hold = (event: DragEvent) => {
      if (!takes(event)) return
      event.preventDefault()
      setHeld(true)
    }
    const leave = ({ relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && view.contains(relatedTarget))) setHeld(false)
    }
    const drop = (event: DragEvent) => {
      setHeld(false)
      if (!takes(event)) return
      event.preventDefault()
      attach(event.dataTransfer?.files ?? [])
    }
    view.addEventListener('dragover', hold)
    view.addEventListener('dragleave', leave)
    view.addEventListener('drop', drop)
    return () => {
      view.removeEventListener('dragover', hold)
      view.removeEventListener('dragleave', leave)
      view.removeEventListener('drop', drop)
    }
  }, [])
  return isHeld
}
