import { blankPaper, pictureFrom } from './canvas.ts'
import { paper, pathOf, type Stroke } from './stroke.ts'

/** Dark on white, whatever the colours of the screen. */
export const ink = { colour: '#101c2e', width: 7 }
/** Pixels of its long side. */
const pictureWidth = 1600

/** What was signed as a PNG on white. */
export function pictureOf(strokes: readonly Stroke[]): Promise<Blob> {
  const scale = pictureWidth / paper.width
  const context = blankPaper(pictureWidth, Math.round(paper.height * scale))
  context.scale(scale, scale)
  Object.assign(context, {
    strokeStyle: ink.colour,
    lineWidth: ink.width,
    lineCap: 'round',
    lineJoin: 'round',
  })
  for (const stroke of strokes) context.stroke(new Path2D(pathOf(stroke)))
  return pictureFrom(context, 'image/png')
}
