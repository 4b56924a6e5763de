/** A place on the paper of a signature, in its own units: they are the same whatever the size of the screen. */
export type Point = readonly [x: number, y: number]
export type Stroke = readonly Point[]

export const paper = { width: 1000, height: 560 }
/** Closer together, points are a trembling hand. */
const nearest = 2
/** What is signed reaches at least so far, and has so much ink. */
const leastReach = 120
const leastInk = 200

/** A stroke with one more point, unless it hardly moved. */
export function extended(stroke: Stroke, [x, y]: Point): Stroke {
  const last = stroke.at(-1)
  const point: Point = [within(x, paper.width), within(y, paper.height)]
  return last && distance(last, point) < nearest ? stroke : [...stroke, point]
}

/** A stroke as the path of a drawing: from the middle of two points to the next, bent towards the point between them. */
export function pathOf(stroke: Stroke): string {
  const [first, ...rest] = stroke
  if (!first) return ''
  // A line without length is a dot, with round ends.
  if (rest.length === 0) return `M${at(first)}h0`
  const bends = rest.slice(0, -1).map((point, nth) => `Q${at(point)} ${at(middle(point, rest[nth + 1]!))}`)
  return `M${at(first)}L${at(middle(first, rest[0]!))}${bends.join('')}L${at(rest.at(-1)!)}`
}

/** Whether it is a signature, and not a dot left by accident. */
export function isSigned(strokes: readonly Stroke[]): boolean {
  const points = strokes.flat()
  const reach = ([0, 1] as const).map((axis) => {
    const places = points.map((point) => point[axis])
    return Math.max(...places) - Math.min(...places)
  })
  return (
    Math.max(...reach) >= leastReach && strokes.reduce((sum, stroke) => sum + lengthOf(stroke), 0) >= leastInk
  )
}

const lengthOf = (stroke: Stroke) =>
  stroke.slice(1).reduce((sum, point, nth) => sum + distance(stroke[nth]!, point), 0)
const distance = (one: Point, other: Point) => Math.hypot(one[0] - other[0], one[1] - other[1])
const middle = (one: Point, other: Point): Point => [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2]
const within = (value: number, most: number) => Math.round(Math.min(Math.max(value, 0), most) * 10) / 10
const at = ([x, y]: Point) => `${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`
