// A worker for pages that are opened from disk, where browsers start none: the script runs in a frame that nobody sees.
// The search uses it.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      const append = (address, done) => {
        const script = inside.document.createElement("script");
        script.src = address;
        script.onload = done;
        inside.document.body.append(script);
      };
      // What the script says goes to the page.
      inside.postMessage = (data) => setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data })));
      inside.importScripts = (...names) => names.forEach((name) => append(new URL(name, url)));
      this.ready = new Promise((resolve) => append(url, resolve));
    }
    postMessage(data) {
      const inside = this.frame.contentWindow;
      void this.ready.then(() => inside.dispatchEvent(new inside.MessageEvent("message", { data })));
    }
    terminate() {
      this.frame.remove();
    }
  };
}
