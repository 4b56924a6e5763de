import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** Whether JavaScript has taken the page over: false on the server and in the first render of the browser. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
