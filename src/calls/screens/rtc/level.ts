/** How often the level is reported, in milliseconds. */
const every = 80
/** What counts as silence and as full, in dBFS: speech lies between. */
const silence = -60
const full = -12

/** Reports how loud a stream is, from 0 to 1, until the returned function is called. */
export function watchLevel(stream: MediaStream, tell: (level: number) => void): () => void {
  if (stream.getAudioTracks().length === 0) return () => {}
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  analyser.fftSize = 1024
  const samples = new Float32Array(analyser.fftSize)
  context.createMediaStreamSource(stream).connect(analyser)
  // Before the first press of a key or button browsers keep it suspended.
  context.resume().catch(() => {})
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples)
    tell(levelOf(samples))
  }, every)
  return () => {
    clearInterval(timer)
    context.close().catch(() => {})
  }
}

/** How loud samples between -1 and 1 are, from 0 to 1, in even steps of perceived loudness. */
export function levelOf(samples: Float32Array): number {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
  const decibels = 10 * Math.log10(power)
  return Math.min(1, Math.max(0, (decibels - silence) / (full - silence)))
}
