// Loaded before a server whose story takes days: its clock stands where the story last put it, and goes on from there.
const RealDate = Date
let ahead = 0

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length > 0) super(...given)
    else super(RealDate.now() + ahead)
  }

  static now() {
    return RealDate.now() + ahead
  }
}

process.on('message', ({ now }) => {
  ahead = now - RealDate.now()
  process.send({ now })
})
// The story may end without a word.
process.channel.unref()
