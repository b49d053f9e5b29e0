#pragma once
// What the thread sanitizer must know about TBB, which is not compiled for it: work begins after it was given away, and
// has ended when its giver goes on. Without the sanitizer all of this is nothing.

#ifdef __SANITIZE_THREAD__
extern "C" void __tsan_acquire(void* place);
extern "C" void __tsan_release(void* place);
#endif

namespace brio {

class ThreadEdges {
 public:
#ifdef __SANITIZE_THREAD__
  void give() { __tsan_release(&given_); }   ///< before work is given to other threads
  void begin() { __tsan_acquire(&given_); }  ///< first thing of the work
  void end() { __tsan_release(&ended_); }    ///< last thing of it
  void go_on() { __tsan_acquire(&ended_); }  ///< after all of it

 private:
  char given_ = 0, ended_ = 0;
#else
  void give() {}
  void begin() {}
  void end() {}
  void go_on() {}
#endif
};

}  // namespace brio
