/** How long another tab of this browser has to answer, in milliseconds; a tab that was closed can't. */
const patience = 200

type Said = { is: 'asked' | 'here'; appointmentId: string }
const channel = () => new BroadcastChannel('carga.call')

/** Whether another tab of this browser is in the room. A copied tab copies its mark as well, so marks don't show it. */
export function isInAnotherTab(appointmentId: string): Promise<boolean> {
  if (!('BroadcastChannel' in window)) return Promise.resolve(false)
  const asking = channel()
  return new Promise((resolve) => {
    const answer = (isThere: boolean) => {
      asking.close()
      resolve(isThere)
    }
    setTimeout(() => answer(false), patience)
    asking.onmessage = ({ data }: MessageEvent<Said>) => {
      if (data.is === 'here' && data.appointmentId === appointmentId) answer(true)
    }
    asking.postMessage({ is: 'asked', appointmentId } satisfies Said)
  })
}

/** Answers the tabs that ask that this one is in the room; returns what stops it. */
export function answerOtherTabs(appointmentId: string): () => void {
  if (!('BroadcastChannel' in window)) return () => {}
  const answering = channel()
  answering.onmessage = ({ data }: MessageEvent<Said>) => {
    if (data.is === 'asked' && data.appointmentId === appointmentId)
      answering.postMessage({ is: 'here', appointmentId } satisfies Said)
  }
  return () => answering.close()
}
