import {
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  startTransition,
  use,
  useEffect,
  useMemo,
  useState,
} from 'react'

/** Before code that did not come is asked for again, in milliseconds. */
const pause = 2_000

/** The code of a part: what it is once it is here, what stands for it, and when it comes. */
type Part<Props> = {
  here: ComponentType<Props> | null
  meanwhile: (props: Props) => ReactNode
  arrival: () => Promise<void>
}

/**
 * A part of a screen whose code comes after it. Until then, for as long as there is no network, it stays as the server
 * sent it and its forms work without scripts; it is asked for again and never fails the screen. `meanwhile`: where the
 * server has not sent it.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: (props: Props) => ReactNode = () => null,
) {
  const come = async () => {
    for (;;) {
      part.here = await load().catch(() => null)
      if (part.here) return
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
  let coming: Promise<void> | undefined
  const part: Part<Props> = { here: null, meanwhile, arrival: () => (coming ??= come()) }
  return (props: Props) => <Held part={part} props={props} />
}

type PartProps<Props> = { part: Part<Props>; props: Props }

/** Keeps a part as it was first drawn until its code is here: what React has not taken over yet, it throws away at a change. */
function Held<Props extends object>({ part, props }: PartProps<Props>) {
  const [first] = useState(props)
  const [isHere, setIsHere] = useState(false)
  useEffect(() => {
    let isLeft = false
    void part.arrival().then(() => isLeft || startTransition(() => setIsHere(true)))
    return () => {
      isLeft = true
    }
  }, [part])
  const shown = isHere ? props : first
  return useMemo(
    () => (
      <Suspense fallback={part.meanwhile(shown)}>
        <Arrived part={part} props={shown} />
      </Suspense>
    ),
    [part, shown],
  )
}

function Arrived<Props extends object>({ part, props }: PartProps<Props>) {
  if (!part.here) use(part.arrival())
  return part.here && <part.here {...props} />
}

/** Words for a part whose code has not come after some seconds. */
export const NotYet = ({ children }: { children: string }) => (
  <p className="animate-[fade_200ms_3s_backwards]">{children}</p>
)

/** A part whose code comes when it is first shown, and what stands for it where that can't. */
export const lazyOr = <Props,>(load: () => Promise<ComponentType<Props>>, instead: ComponentType<Props>) =>
  lazy(() =>
    load().then(
      (part) => ({ default: part }),
      () => ({ default: instead }),
    ),
  )
