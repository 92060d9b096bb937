import './pdf-viewer.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import { r } from '../../texts/reading.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loading } from '../../ui/empty.tsx'
import { MAX_PDF_BYTES, type OpenPdf, openPdf } from './pdf.ts'

export { loadReadingTexts } from '../../texts/reading.ts'

interface PdfViewerProps {
  /** The link that was clicked. */
  readonly opener: HTMLAnchorElement
  readonly onClose: () => void
}

/** A PDF, drawn page by page as pictures, without links, forms or scripts. */
export function PdfViewer({ opener, onClose }: PdfViewerProps) {
  const address = new URL(opener.href).pathname
  const [pdf, setPdf] = useState<OpenPdf>()
  const [refusal, setRefusal] = useState('')
  const [page, setPage] = useState(1)
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const stopped = new AbortController()
    let opened: OpenPdf | undefined
    openPdf(address, stopped.signal).then(
      (found) => {
        opened = found
        if (stopped.signal.aborted) found.close()
        else setPdf(found)
      },
      (error) => {
        if (!stopped.signal.aborted)
          setRefusal(
            error instanceof RangeError ? r.pdf.tooLarge(MAX_PDF_BYTES / 1024 ** 2) : r.pdf.unreadable,
          )
      },
    )
    return () => {
      stopped.abort()
      opened?.close()
    }
  }, [])
  useEffect(() => {
    if (!pdf) return undefined
    const stopped = new AbortController()
    pdf.draw(page, canvas.current!, stopped.signal).catch(() => {
      if (!stopped.signal.aborted) setRefusal(r.pdf.unreadable)
    })
    return () => stopped.abort()
  }, [pdf, page])
  const turn = (step: number) => setPage(Math.min(Math.max(page + step, 1), pdf?.pages ?? 1))
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'PageDown' || key === 'PageUp') turn(key === 'PageDown' ? 1 : -1)
  }
  return (
    <Dialog title={opener.textContent || r.pdf.file} wide onClose={onClose}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of its buttons too */}
      <div class="pdf" onKeyDown={onKeyDown}>
        {refusal !== '' && <p role="alert">{refusal}</p>}
        {!pdf && refusal === '' && <Loading label={t.loading} />}
        {pdf && refusal === '' && (
          <>
            <div class="pdf-page">
              <canvas ref={canvas} role="img" aria-label={r.pdf.page({ page, of: pdf.pages })} />
            </div>
            {pdf.isCut && page === pdf.pages && <p class="small soft">{r.pdf.onlyFirst(pdf.pages)}</p>}
          </>
        )}
        <div class="pdf-tools">
          {pdf && refusal === '' && pdf.pages > 1 && (
            <>
              <Button disabled={page === 1} onClick={() => turn(-1)}>
                {r.pdf.previous}
              </Button>
              <span role="status">{r.pdf.page({ page, of: pdf.pages })}</span>
              <Button disabled={page === pdf.pages} onClick={() => turn(1)}>
                {r.pdf.next}
              </Button>
            </>
          )}
          <a class="button" href={`${address}?download=1`} rel="noopener noreferrer" target="_blank">
            {t.message.download}
          </a>
        </div>
      </div>
    </Dialog>
  )
}
