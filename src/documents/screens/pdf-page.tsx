import { useEffect, useRef, useState } from 'react'

type PdfPageProps = { id: string; label: string }

async function draw(id: string, canvas: HTMLCanvasElement): Promise<number> {
  const [{ drawFirstPage }, answer] = await Promise.all([import('./pdf.ts'), fetch(`/documents/${id}`)])
  if (!answer.ok) throw new Error('not found')
  return drawFirstPage(new Uint8Array(await answer.arrayBuffer()), canvas)
}

/** The first page of a stored PDF, drawn as a picture. Without JavaScript, or where it can't be drawn, it is downloaded. */
export function PdfPage({ id, label }: PdfPageProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [pages, setPages] = useState<number | 'unread' | null>(null)
  useEffect(() => {
    let isShown = true
    const answer = (found: number | 'unread') => isShown && setPages(found)
    draw(id, canvas.current!).then(answer, () => answer('unread'))
    return () => {
      isShown = false
    }
  }, [id])
  return (
    <>
      <canvas
        ref={canvas}
        role="img"
        aria-label={label}
        hidden={typeof pages !== 'number'}
        className="w-full"
      />
      {pages === null && <p className="p-4 text-mute noscript:hidden">Abriendo el PDF…</p>}
      {pages === 'unread' && <p className="p-4">No pudimos dibujar este PDF. Descárgalo para verlo.</p>}
      {typeof pages === 'number' && pages > 1 && (
        <p className="p-3 text-sm text-mute">Página 1 de {pages}. Descárgalo para ver las demás.</p>
      )}
    </>
  )
}
