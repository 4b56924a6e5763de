/** White paper of so many pixels, to draw on without it being seen. */
export function blankPaper(width: number, height: number) {
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('this browser draws nothing')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  return context
}

/** What was drawn, as a picture of a kind. */
export const pictureFrom = ({ canvas }: CanvasRenderingContext2D, type: string, quality?: number) =>
  new Promise<Blob>((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture came out'))), type, quality)
  })
