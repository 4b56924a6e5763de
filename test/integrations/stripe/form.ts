/** What a form-encoded body says, as Stripe reads it: `a[b][0]=c` is `{ a: { b: ['c'] } }`. */
export type Params = { [name: string]: string | Params }

/** Reads such a body. Lists stay objects with the keys 0, 1, …; every value is text. */
export function readParams(body: string): Params {
  const params: Params = {}
  for (const [name, value] of new URLSearchParams(body)) {
    const path = name.split(/\]\[|[[\]]/).filter(Boolean)
    const last = path.pop()!
    const place = path.reduce<Params>((within, key) => {
      within[key] ??= {}
      return within[key] as Params
    }, params)
    place[last] = value
  }
  return params
}

const inside = (params: Params, path: string) =>
  path
    .split('.')
    .reduce<Params | string | undefined>(
      (within, key) => (typeof within === 'object' ? within[key] : undefined),
      params,
    )

/** A value inside, by its path: `line_items.0.quantity`. */
export function at(params: Params, path: string): string | undefined {
  const found = inside(params, path)
  return typeof found === 'string' ? found : undefined
}

/** A list or a map inside, as the texts it holds. */
export function textsAt(params: Params, path: string): Record<string, string> {
  const found = inside(params, path)
  return typeof found === 'object' ? (found as Record<string, string>) : {}
}
