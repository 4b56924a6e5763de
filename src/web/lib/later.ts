import { type ComponentType, lazy } from 'react'

/** Before code that did not come is asked for again, in milliseconds. */
const pause = 2_000

/**
 * A part of a screen whose code comes after it. Where that does not come, as without a network, the part stays as the
 * server sent it and its forms work without scripts; it is asked for again and never fails the screen.
 */
export const later = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => {
    for (;;) {
      const part = await load().catch(() => null)
      if (part) return { default: part }
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  })
